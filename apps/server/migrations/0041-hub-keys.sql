-- The public key (X25519, base64url) to which credentials of printers are sealed for a hub; the private key never leaves the hub.
-- Null for a hub that has not told one yet.
alter table hubs add column public_key text check (public_key ~ '^[A-Za-z0-9_-]{43}$');
