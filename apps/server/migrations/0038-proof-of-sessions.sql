-- When the person of a session last showed to be there: by the password, a code, a passkey or the provider. What could be
-- used to take an account over asks for it again after a while.
alter table sessions add column proven_at timestamptz;

-- Members who sign in by a password alone add a second factor before anything else.
alter table accounts add column require_second_factor boolean not null default false;
