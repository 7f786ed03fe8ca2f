-- What is over is removed after a while, in the order in which it ended.
create index invitations_by_end on invitations (expires_at);

-- A person may have several links at once: whoever asks for one in the name of somebody else must not take the link away
-- that was mailed to them. All of a person's links end when one of them is used.
alter table password_resets drop constraint password_resets_pkey;
alter table password_resets drop constraint password_resets_token_key;
alter table password_resets add primary key (token_hash);
create index password_resets_by_user on password_resets (user_id);
create index password_resets_by_end on password_resets (expires_at);

-- The password was set by a link that others than the mailbox have seen, who may know it. It goes when a provider first says
-- who has the address.
alter table users add column is_password_by_shown_link boolean not null default false;
alter table password_resets add column is_shown boolean not null default false;
