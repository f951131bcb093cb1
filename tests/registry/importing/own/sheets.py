"""CSV and what is called so: how the bytes, the lines and the cells can be odd."""

import gzip

from tests.registry.importing.own.rows import FIRST, HEADER, ROWS, SECOND, each, table
from tests.registry.importing.own.workbooks import PLAIN

ZERO_WIDTH, SOFT_HYPHEN, NBSP, THIN, RTL = "\u200b", "\u00ad", "\u00a0", "\u2009", "\u202e"
LONG = "https://example.org/" + "r" * 480
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 1234\n"

BYTES = {
    "o01_nul_in_the_middle.csv": HEADER + FIRST + SECOND.replace(b"c-2", b"c\0-2"),
    "o02_utf16_without_mark.csv": ROWS.decode().encode("utf-16-le"),
    "o03_utf16_with_mark.csv": ROWS.decode().encode("utf-16"),
    "o04_latin_1.csv": table({"notes": "plain"}, {"notes": "caf\u00e9"}).replace(b"\xc3\xa9", b"\xe9"),
    "o05_cut_within_a_character.csv": table({"notes": "caf\u00e9"}).rstrip()[:-1],
    "o06_mixed_line_ends.csv": HEADER.replace(b"\n", b"\r\n") + FIRST.replace(b"\n", b"\r") + SECOND,
    "o07_gzip_named.csv": gzip.compress(ROWS, mtime=0),
    "o08_workbook_named.csv": PLAIN,
    "o09_html_named.csv": b"<!DOCTYPE html>\n<title>404</title>\n<p>Not found, sorry\n",
    "o10_lfs_pointer.csv": LFS,
}
LINES = {
    "o11_cr_in_a_quoted_cell.csv": table({"notes": "one\rtwo"}, {"notes": "three"}),
    "o12_ragged_rows.csv": HEADER + FIRST + b"a,b\n" + SECOND.replace(b"\n", b",more\n"),
    "o13_header_names_twice.csv": HEADER.replace(b"external_id", b"value") + FIRST,
    "o14_header_with_a_comma_at_its_end.csv": HEADER.replace(b"\n", b",\n") + FIRST.replace(b"\n", b",\n"),
    "o15_header_of_spaces.csv": b" , , , , , \n" + FIRST,
    "o16_units_below_the_header.csv": HEADER + b"key,key,fraction,address,page,id\n" + FIRST,
    "o17_rows_of_commas.csv": HEADER + FIRST + b",,,,,\n" + SECOND + b",,,,,\n",
    "o18_blank_lines.csv": HEADER + b"\n" + FIRST + b"\n\n" + SECOND + b"\n",
    "o19_blank_lines_before_the_header.csv": b"\n\n" + ROWS,
    "o20_put_together_in_another_order.csv": ROWS + b"external_id,value,configuration,contract,source_url,source_ref\n"
    b"c-3,0.7,vendor0-model-000,bench-000-v3.metric-000-pass-at-1,https://example.org/r/2.json,row 3\n",
    "o21_last_line_cut_off.csv": ROWS[:-30],
    "o22_no_line_end_at_the_end.csv": ROWS[:-1],
    "o23_quote_never_closed.csv": HEADER + FIRST + b'"' + SECOND + FIRST,
    "o24_quote_in_the_middle.csv": table({"notes": "plain"}).replace(b"plain", b'5" screen'),
    "o25_tabs.csv": ROWS.replace(b",", b"\t"),
    "o26_capitals_in_the_header.csv": HEADER.replace(b"value", b"Value") + FIRST,
    "o27_spaces_in_the_header.csv": HEADER.replace(b",", b", ") + FIRST,
    "o28_comment_above_the_header.csv": b"# exported 2025-03-01, by hand\n" + ROWS,
}
NUMBERS = {
    "o30_exponents.csv": each("value", "1e400", "1e-400", "5e-1", "1e-999999999999", "1E-5"),
    "o31_minus_zero.csv": each("value", "-0", "-0.0"),
    "o32_numbers_of_programmers.csv": each("value", "0x10", "1_000", "0b1", "1f", "True", "1/2"),
    "o33_decimal_commas.csv": each("value", "0,5", "1.000,5", "1,000", "1'000"),
    "o34_digits_of_other_scripts.csv": each("value", "\u0660.\u0665", "\uff10.\uff15", "\u00bd", "\u2075"),
    "o35_spaces_in_numbers.csv": each("value", f"0{NBSP}5", f"1{THIN}000", " 0.5", "0.5 ", f"0.5{ZERO_WIDTH}", "\t0.5"),
    "o36_percent_signs.csv": each("value", "85%", "85 %", "0.85"),
    "o37_percent_where_a_fraction_belongs.csv": each("value", "85", "1.0000001", "1"),
    "o38_too_many_digits.csv": each("value", "0.1234567890123456789", "0.50000000000000000000", "+.5", "0.3"),
    "o39_other_minus_signs.csv": each("value", "\u22120.5", "\u20130.5", "(0.5)"),
    "o40_counts.csv": each("n", "0", "1.0", "1e3", "-1", "1,000", "10000000000", "007", "100"),
    "o41_runs.csv": each("runs", "-5", "0", "2.5", "5"),
    "o42_negative_spreads.csv": table({"stderr": "-0.01"}, {"sd": "-1"}, {"stderr": "0"}),
    "o43_spreads_wider_than_the_contract.csv": table({"stderr": "1.5"}, {"sd": "2.5"}, {"stderr": "1", "sd": "0.5"}),
}
DAYS = {
    "o45_days_that_are_none.csv": each(
        "observed_on", "2025-13-01", "2025-02-29", "2025-W10-1", "01.03.2025", "2025-3-1", "2025-03-01T00:00:00Z"
    ),
    "o46_a_leap_day.csv": each("observed_on", "2024-02-29"),
    "o47_days_too_early_and_too_late.csv": each("observed_on", "2014-12-31", "9999-12-31", "2015-01-01"),
}
NAMES = {
    "o50_invisible_in_a_contract.csv": each("contract", f"bench-000-v3.{ZERO_WIDTH}metric-000-pass-at-1"),
    "o51_alias_that_nobody_reviewed.csv": each("configuration", "Unreviewed Zero"),
    "o52_cyrillic_look_alike.csv": each("configuration", "vend\u043er0-model-000"),
    "o53_one_alias_composed_and_not.csv": table(
        {"configuration": "Mod\u00e8le z\u00e9ro", "external_id": "composed"},
        {"configuration": "Mode\u0300le ze\u0301ro", "external_id": "decomposed"},
    ),
    "o54_unseen_around_a_name.csv": each(
        "configuration", f"vendor0-model-000{NBSP}", f"vendor0{SOFT_HYPHEN}-model-000", "vendor0-model-000\n"
    ),
    "o55_another_case.csv": each("configuration", "Vendor0-Model-000"),
    "o56_markup_for_a_name.csv": each("configuration", "<script>alert(1)</script>", "'; DROP TABLE results; --"),
}
ADDRESSES = {
    "o60_scripts_for_addresses.csv": each(
        "source_url", "javascript:alert(1)", "data:text/html,x", "ftp://example.org/x", "file:///etc/passwd"
    ),
    "o61_addresses_with_accounts.csv": each(
        "source_url", "https://user:pass@example.org/", "https://user@example.org/", "https://example.org@evil.example/"
    ),
    "o62_international_addresses.csv": each(
        "source_url", "https://\u043f\u0440\u0438\u043c\u0435\u0440.example/r", "https://xn--e1afmkfd.example/r"
    ),
    "o63_long_addresses.csv": each("source_url", LONG, LONG + "r"),
    "o64_addresses_that_are_none.csv": each(
        "source_url", "https://", "https://example.org:99999/", "https:///x", "https://exa mple.org", "example.org",
        "https://[::1", "HTTPS://EXAMPLE.ORG/r",
    ),
}  # fmt: skip
MEANINGS = {
    "o70_another_lineage.csv": each("lineage", "lineage-000-main", "lineage-001-main"),
    "o71_another_protocol.csv": each("protocol", "v0.8.main", "v0.7.main"),
    "o72_another_unit_direction_and_kind.csv": table(
        {"unit": "percent"}, {"direction": "lower"}, {"subject_kind": "model"}, {"direction": "up"}
    ),
    "o73_one_identity_twice.csv": table(
        {"external_id": "c-1", "source_ref": ""}, {"external_id": "c-1", "source_ref": ""}, {}
    ),
    "o74_one_source_two_values.csv": table(
        {"source_ref": ""}, {"source_ref": "", "value": "0.6"}, {"source_ref": "", "value": "", "absence": "failed"}
    ),
    "o75_value_and_absence.csv": table({"absence": "failed"}, {"value": "", "absence": "failed"}),
    "o76_blank_without_absence.csv": table({"value": ""}, {"value": "", "absence": "n/a"}, {"value": "n/a"}),
    "o77_parts_that_contradict_the_key.csv": table({"model": "model-001"}, {"harness": "agentic"}),
    "o78_parts_without_the_key.csv": table(
        {"configuration": "", "organization": "vendor0", "model": "model-000"},
        {"configuration": "", "organization": "vendor0", "model": "model-999"},
        {"configuration": "", "organization": "vendor0", "model": ""},
    ),
}
TEXTS = {
    "o80_formulas.csv": each("notes", "=1+1", "'=1+1", "-1+1", "@SUM(A1)", "\t=1+1", "''=1", "'quoted'", "-5"),
    "o81_ids_that_begin_with_tab.csv": each("external_id", "\tc-1", "=c-2", "'=c-3"),
    "o82_right_to_left_override.csv": table({"notes": f"{RTL}abc"}, {"external_id": f"{RTL}abc"}),
    "o83_characters_beyond_the_first_plane.csv": table({"notes": "\U0001f600 \U00020000 e\u0301"}),
    "o84_cells_as_long_as_they_may_be.csv": each("notes", "x" * 20_000, "x" * 20_001),
    "o85_ids_of_200_characters.csv": each("external_id", "i" * 200, "i" * 201),
}
SHEETS = BYTES | LINES | NUMBERS | DAYS | NAMES | ADDRESSES | MEANINGS | TEXTS
