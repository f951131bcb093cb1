"""History and sources are append-only: the database refuses to change them."""

from django.db import migrations

from registry import triggers

# An audit event says what happened; a source is the bytes that numbers came from.
SEALED = {
    "registry_auditevent": (),
    "registry_source": ("sha256", "size", "content", "uploaded_by", "uploaded_at"),
}


class Migration(migrations.Migration):
    dependencies = [("registry", "0001_initial")]

    operations = [migrations.RunPython(*triggers.operations(SEALED))]
