-- A command is written by the statement that takes the next fence of its printer, whose row it locks: to look the printer up again is a part
-- of each start. What the foreign key does when a printer is deleted is done by a trigger.
alter table commands drop constraint commands_account_id_printer_id_fkey;

create function keep_named_printer() returns trigger language plpgsql as $$
begin
  if exists (select from commands where account_id = old.account_id and printer_id = old.id) then
    raise foreign_key_violation using message = 'commands name the printer', table = 'printers';
  end if;
  return old;
end $$;
create trigger printers_keep_named before delete on printers for each row execute function keep_named_printer();
