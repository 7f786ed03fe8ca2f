-- Which journal a hub kept when it last said hello. Another one does not know what the one before it had begun.
alter table hubs add column journal_id text;
