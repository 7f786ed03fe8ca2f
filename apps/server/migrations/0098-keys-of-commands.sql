-- A command and the attempt that it starts are written by the statement that takes the next fence of their printer, whose row it locks and
-- asks for its hub: to look both up again, and the job that was just claimed, is four of ten such checks of a start, and locks the same few
-- rows of hubs from every page of a round. What a foreign key does when a hub or a printer is deleted is done by triggers instead.
alter table commands drop constraint commands_account_id_printer_id_fkey;
alter table commands drop constraint commands_account_id_hub_id_fkey;
alter table commands drop constraint commands_account_id_job_id_fkey;
alter table attempts drop constraint attempts_account_id_hub_id_fkey;

create function keep_named_hub() returns trigger language plpgsql as $$
begin
  if exists (select from attempts where account_id = old.account_id and hub_id = old.id)
    or exists (select from commands where account_id = old.account_id and hub_id = old.id) then
    raise foreign_key_violation using message = 'attempts or commands name the hub', table = 'hubs';
  end if;
  return old;
end $$;
create trigger hubs_keep_named before delete on hubs for each row execute function keep_named_hub();

create function keep_named_printer() returns trigger language plpgsql as $$
begin
  if exists (select from commands where account_id = old.account_id and printer_id = old.id) then
    raise foreign_key_violation using message = 'commands name the printer', table = 'printers';
  end if;
  return old;
end $$;
create trigger printers_keep_named before delete on printers for each row execute function keep_named_printer();

-- The commands of a job are those of its attempts.
drop index commands_by_job;
