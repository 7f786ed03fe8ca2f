-- A statement that changes many jobs tells of all of them at once. By one notice for each row the server sends as many messages, each at
-- once: a round that starts 10,000 prints sent 20,000 of them to the process that waits for it.
create function tell_changes(changed_ids text[]) returns void language plpgsql as $$
declare
  changed_id text;
begin
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

create function tell_changed_rows() returns trigger language plpgsql as $$
declare
  changed_ids text[];
begin
  select array_agg(distinct c.id) into changed_ids from changed c;
  if changed_ids is not null then
    perform tell_changes(changed_ids);
  end if;
  return null;
end $$;

-- Whatever changes of a job is told: what answers show need not be listed here.
drop trigger jobs_tell on jobs;
create trigger jobs_tell after update on jobs
  referencing new table as changed for each statement execute function tell_changed_rows();

create function tell_jobs_of_new_attempts() returns trigger language plpgsql as $$
declare
  changed_ids text[];
begin
  select array_agg(distinct c.job_id) into changed_ids from changed c;
  if changed_ids is not null then
    perform tell_changes(changed_ids);
  end if;
  return null;
end $$;

drop trigger attempts_tell on attempts;
create trigger attempts_tell after update of id, job_id, phase or delete on attempts
  for each row execute function tell_job_of_attempt();
create trigger attempts_tell_new after insert on attempts
  referencing new table as changed for each statement execute function tell_jobs_of_new_attempts();
