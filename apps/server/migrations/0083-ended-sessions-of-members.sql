-- When those who run the account last ended the sessions of a member: what started before, and looked at another account then, does not come in.
alter table members add column sessions_ended_at timestamptz;
