-- Tokens that a person gave at the shop itself, sealed; each renewal gives others. Until `renewing_until` one process renews them: the token
-- that renews counts once.
alter table shops add column tokens_sealed bytea;
alter table shops add column renewing_until timestamptz;
