-- The list of members, those who joined first first.
create index members_by_age on members (account_id, created_at, id);
