-- A library of files: tags that people give them, and an order for each way in which the list is sorted.
alter table print_files add column tags text[] not null default '{}';
create index print_files_by_name on print_files (account_id, lower(name), id) where deleted_at is null;
create index print_files_by_change on print_files (account_id, updated_at desc, id desc) where deleted_at is null;
