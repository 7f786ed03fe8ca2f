-- A slicer sends a file under its name alone: it is looked up by it.
create index print_files_name_idx on print_files (account_id, name) where deleted_at is null;
