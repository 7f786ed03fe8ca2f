-- A link to a new password that somebody of this account has seen. It counts only while the person belongs to that account
-- and to no other: a new password opens all of a person's accounts. Links made on the machine itself name none.
alter table password_resets add column shown_in text;

-- Shown links of before name no account. They end after an hour in any case.
delete from password_resets where is_shown;
