"""Accounts, their roles and their one-time passwords."""

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import AbstractUser, Group, User
from django.http import HttpRequest
from django_otp.plugins.otp_totp import admin as otp_totp_admin  # noqa: F401  registers what is taken back here
from django_otp.plugins.otp_totp.models import TOTPDevice

from registry.actions import accounts, tokens
from registry.admin.desk import Desk, ReadOnly

if TYPE_CHECKING:
    UserAdmin = DjangoUserAdmin[User]
else:
    UserAdmin = DjangoUserAdmin

admin.site.unregister(User)
admin.site.unregister(TOTPDevice)
# Roles come from a table in the code after every migrate; a form would only be overwritten.
admin.site.unregister(Group)


@admin.register(User)
class AccountAdmin(Desk, UserAdmin):
    concept = "People"
    list_display = ("username", "roles", "is_active", "is_staff", "is_superuser", "last_login")
    list_filter = ("groups", "is_active", "is_superuser")
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        ("Role", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "usable_password", "password1", "password2", "is_staff", "groups")}),
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("groups")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The history and every seal name people by it: under another name one could publish what one sealed."""
        return (*super().get_readonly_fields(request, obj), *(["username"] if obj else []))

    @admin.display(description="roles")
    def roles(self, user: User) -> str:
        return ", ".join(group.name for group in user.groups.all())

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Nothing yet: account and roles are saved together below."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        accounts.save(user=form.instance, roles=form.cleaned_data["groups"], by=cast("AbstractUser", request.user))

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Also called by the form that sets a password, which has saved by itself."""
        if "password1" in request.POST or "unset-password" in request.POST:
            accounts.password_changed(user=obj, by=cast("AbstractUser", request.user))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The history names people: an account is made inactive."""
        return False


@admin.register(TOTPDevice)
class TokenAdmin(ReadOnly):
    """To see who has one, and to revoke a lost one; the secret is shown to nobody."""

    concept = "People"
    list_display = ("user", "name", "confirmed", "created_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    fields = ("user", "name", "confirmed", "created_at", "last_used_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("otp_totp.delete_totpdevice")

    def delete_model(self, request: HttpRequest, obj: TOTPDevice) -> None:
        tokens.revoke(device=obj, by=cast("AbstractUser", request.user))
