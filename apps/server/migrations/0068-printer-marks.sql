-- What tells whether any printer of an account has changed since its rows were read: the transaction that changes them gives one mark of
-- the account another value. An account has as many marks as transactions have changed its printers at once, so that none waits for another.
create table printer_marks (
  account_id text not null references accounts (id),
  id text not null,
  mark uuid not null,
  primary key (account_id, id)
);

create function mark_printer_changes() returns trigger language plpgsql as $$
declare
  changed_account text;
begin
  for changed_account in select distinct c.account_id from changed c loop
    update printer_marks m set mark = gen_random_uuid()
    where m.account_id = changed_account and m.id = (
      select free.id from printer_marks free where free.account_id = changed_account
      order by free.id limit 1 for update skip locked
    );
    if not found then
      insert into printer_marks (account_id, id, mark) values (changed_account, gen_random_uuid()::text, gen_random_uuid());
    end if;
  end loop;
  return null;
end $$;
create trigger printers_mark_new after insert on printers
  referencing new table as changed for each statement execute function mark_printer_changes();
create trigger printers_mark after update on printers
  referencing new table as changed for each statement execute function mark_printer_changes();
create trigger printers_mark_old after delete on printers
  referencing old table as changed for each statement execute function mark_printer_changes();
