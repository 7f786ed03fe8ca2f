-- Rows of these tables name their account by another key as well: an attempt by its job, a command by its printer, a reservation by its
-- attempt. That key cannot be empty, and what it leads to names the account. To look the account up again is a part of each start.
alter table attempts drop constraint attempts_account_id_fkey;
alter table commands drop constraint commands_account_id_fkey;
alter table filament_reservations drop constraint filament_reservations_account_id_fkey;
