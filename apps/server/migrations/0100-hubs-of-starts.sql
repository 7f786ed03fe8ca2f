-- The same for the hub of a command and of the attempt that it starts: the statement that takes the fence asks for it. Each page of a round
-- locked the same few rows of hubs.
alter table commands drop constraint commands_account_id_hub_id_fkey;
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
