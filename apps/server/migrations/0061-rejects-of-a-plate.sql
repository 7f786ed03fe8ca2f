-- A plate of a recipe may hold more units than its job was asked for, and a person may find any of them bad.
alter table jobs drop constraint jobs_rejects, add constraint jobs_rejects check (units_rejected >= 0);
