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

-- What answers show of a job. Its place in the queue is none of that: to number a long queue again tells nothing. Rows are not joined: a
-- session keeps the plan that it made for one row, and by that plan each of many would be compared with each.
create function tell_changed_jobs() returns trigger language plpgsql as $$
begin
  perform tell_changes(array_agg(distinct shown.id))
  from (
    select account_id, id, status, printer_id, product_id, product_sku_id, product_name, sku_name, file_name, color, filament_type, material_type,
      number_of_units, plates_total, plates_done, progress_percentage, estimated_print_time_minutes, actual_print_time_minutes,
      filament_needed_grams, failure_reason, time_submitted, time_started, time_completed, created_at, updated_at
    from former
    except
    select account_id, id, status, printer_id, product_id, product_sku_id, product_name, sku_name, file_name, color, filament_type, material_type,
      number_of_units, plates_total, plates_done, progress_percentage, estimated_print_time_minutes, actual_print_time_minutes,
      filament_needed_grams, failure_reason, time_submitted, time_started, time_completed, created_at, updated_at
    from changed
  ) shown;
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
