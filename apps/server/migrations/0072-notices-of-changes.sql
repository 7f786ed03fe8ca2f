-- Processes hold in memory what lets requests in, and which state the printers of an account are in. The transaction that changes one
-- of these tells them by the ID of what changed: by a notice of the channel once it has committed, and its own connection at once, so
-- that the process that changed it knows that it has to wait for the others.
create function tell_change(changed_id text) returns void language plpgsql as $$
begin
  perform pg_notify('printyard_changes', changed_id);
  raise notice using errcode = 'PY001', message = changed_id;
end $$;

create or replace function mark_printer_changes() returns trigger language plpgsql as $$
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
    perform tell_change(changed_account);
  end loop;
  return null;
end $$;

create function tell_changed_row() returns trigger language plpgsql as $$
begin
  perform tell_change(old.id);
  return null;
end $$;
create function tell_changed_member() returns trigger language plpgsql as $$
begin
  perform tell_change(old.user_id);
  return null;
end $$;
create function tell_changed_factor() returns trigger language plpgsql as $$
begin
  perform tell_change(case tg_op when 'DELETE' then old.user_id else new.user_id end);
  return null;
end $$;

-- The time of last use is no change: it is written at every use.
create trigger api_keys_tell after update of account_id, id, key_hash, scopes, expires_at, revoked_at on api_keys
  for each row execute function tell_changed_row();
create trigger api_keys_tell_gone after delete on api_keys for each row execute function tell_changed_row();

create trigger sessions_tell
  after update of account_id, id, user_id, token_hash, expires_at, ended_at, proven_at on sessions
  for each row execute function tell_changed_row();
-- Sessions that are over open nothing, wherever they are remembered.
create trigger sessions_tell_gone after delete on sessions
  for each row when (old.ended_at is null and old.expires_at > now()) execute function tell_changed_row();

create trigger members_tell after update or delete on members for each row execute function tell_changed_member();
create trigger accounts_tell after update of require_second_factor or delete on accounts
  for each row execute function tell_changed_row();
create trigger users_tell after update of password_hash or delete on users
  for each row execute function tell_changed_row();
create trigger second_factors_tell after insert or update of user_id, confirmed_at or delete on second_factors
  for each row execute function tell_changed_factor();
create trigger passkeys_tell after insert or update of user_id or delete on passkeys
  for each row execute function tell_changed_factor();
