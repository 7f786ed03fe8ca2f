-- Processes hold in memory what a job takes over from its print file (docs/decisions/0093-a-job-is-one-statement.md). The file and its versions tell
-- of the change of each column of that. A first version tells of nothing: what has none is not remembered.
create trigger print_files_tell after update of account_id, id, name, product_id, deleted_at on print_files
  for each row execute function tell_changed_row();
create trigger print_files_tell_gone after delete on print_files for each row execute function tell_changed_row();

create function tell_file_of_version() returns trigger language plpgsql as $$
begin
  perform tell_change(old.print_file_id);
  return null;
end $$;
create trigger print_file_versions_tell
  after update of account_id, id, print_file_id, is_current_version, is_sliced, printer_model, print_time_seconds, filament_weight_grams,
    filament_type, filament_color
  on print_file_versions for each row execute function tell_file_of_version();
create trigger print_file_versions_tell_gone after delete on print_file_versions
  for each row execute function tell_file_of_version();
