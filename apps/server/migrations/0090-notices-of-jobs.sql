-- Processes hold answers about single jobs in memory as well (docs/decisions/0079-jobs-in-memory.md). What these show tells of its change:
-- a job, the attempt that is under way for it, and the name of its printer. A new job is not remembered anywhere.
create trigger jobs_tell
  after update of account_id, id, status, printer_id, product_id, product_sku_id, product_name, sku_name, file_name, color, filament_type,
    material_type, number_of_units, plates_total, plates_done, progress_percentage, estimated_print_time_minutes,
    actual_print_time_minutes, filament_needed_grams, failure_reason, time_submitted, time_started, time_completed, created_at, updated_at
  on jobs for each row execute function tell_changed_row();
create trigger jobs_tell_gone after delete on jobs for each row execute function tell_changed_row();

create function tell_job_of_attempt() returns trigger language plpgsql as $$
begin
  perform tell_change(case tg_op when 'DELETE' then old.job_id else new.job_id end);
  return null;
end $$;
create trigger attempts_tell after insert or update of id, job_id, phase or delete on attempts
  for each row execute function tell_job_of_attempt();

create trigger printers_tell after update of id, name, model on printers
  for each row when (old.name <> new.name or old.model is distinct from new.model) execute function tell_changed_row();
create trigger printers_tell_gone after delete on printers for each row execute function tell_changed_row();
