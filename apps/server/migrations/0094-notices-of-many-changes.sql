-- A statement that changes many jobs tells of all of them at once. By one notice for each row the server sends as many messages, each at
-- once: a round that starts 10,000 prints sent 20,000 of them to the process that waits for it.
create function tell_changes(changed_ids text[]) returns void language plpgsql as $$
declare
  changed_id text;
begin
  if changed_ids is null then
    return;
  end if;
  perform pg_notify('printyard_changes', each.id) from unnest(changed_ids) as each (id);
  -- A process of a former version reads one ID in each notice.
  if current_setting('printyard.notices', true) = 'joined' then
    raise notice using errcode = 'PY001', message = array_to_string(changed_ids, ',');
  else
    foreach changed_id in array changed_ids loop
      raise notice using errcode = 'PY001', message = changed_id;
    end loop;
  end if;
end $$;

-- What answers show of a job. Its place in the queue is none of that: to number a long queue again tells nothing.
create function tell_changed_jobs() returns trigger language plpgsql as $$
begin
  perform tell_changes(array_agg(o.id))
  from former o left join changed n on n.account_id = o.account_id and n.id = o.id
  where n.id is null or (
    n.status, n.printer_id, n.product_id, n.product_sku_id, n.product_name, n.sku_name, n.file_name, n.color, n.filament_type,
    n.material_type, n.number_of_units, n.plates_total, n.plates_done, n.progress_percentage, n.estimated_print_time_minutes,
    n.actual_print_time_minutes, n.filament_needed_grams, n.failure_reason, n.time_submitted, n.time_started, n.time_completed,
    n.created_at, n.updated_at
  ) is distinct from (
    o.status, o.printer_id, o.product_id, o.product_sku_id, o.product_name, o.sku_name, o.file_name, o.color, o.filament_type,
    o.material_type, o.number_of_units, o.plates_total, o.plates_done, o.progress_percentage, o.estimated_print_time_minutes,
    o.actual_print_time_minutes, o.filament_needed_grams, o.failure_reason, o.time_submitted, o.time_started, o.time_completed,
    o.created_at, o.updated_at
  );
  return null;
end $$;
drop trigger jobs_tell on jobs;
create trigger jobs_tell after update on jobs
  referencing old table as former new table as changed for each statement execute function tell_changed_jobs();

create function tell_jobs_of_new_attempts() returns trigger language plpgsql as $$
begin
  perform tell_changes(array_agg(distinct c.job_id)) from changed c;
  return null;
end $$;
drop trigger attempts_tell on attempts;
create trigger attempts_tell after update of id, job_id, phase or delete on attempts
  for each row execute function tell_job_of_attempt();
create trigger attempts_tell_new after insert on attempts
  referencing new table as changed for each statement execute function tell_jobs_of_new_attempts();
