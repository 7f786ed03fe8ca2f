import { openDriver } from '../driver/open-driver.ts'
import type { EmbeddedConnection } from './embedded-postgres.ts'

/** The role of the service: it reads and writes rows, and can change no table, role or setting of the server. */
const serviceRole = 'printyard_service'

/**
 * Makes the role of the service where it is missing, and lets it use the tables as they are after the migrations, which run as the
 * owner. A statement that was smuggled in cannot read files of the machine or run programs, as that of a superuser could.
 */
export async function allowServiceRole(owner: EmbeddedConnection): Promise<void> {
  const sql = openDriver(owner, 'printyard roles')
  try {
    await sql.unsafe(`
      do $$ begin
        if not exists (select from pg_roles where rolname = '${serviceRole}') then
          create role ${serviceRole} login;
        end if;
      end $$;
      alter role ${serviceRole} nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
      grant pg_read_all_stats to ${serviceRole};
      grant usage on schema public to ${serviceRole};
      grant select, insert, update, delete on all tables in schema public to ${serviceRole};
      grant usage, select on all sequences in schema public to ${serviceRole};
      do $$ begin
        if to_regclass('public.schema_migrations') is not null then
          revoke insert, update, delete on schema_migrations from ${serviceRole};
        end if;
      end $$`)
  } finally {
    await sql.end()
  }
}

/** The connection of the service to the same database. */
export function asService(owner: EmbeddedConnection): EmbeddedConnection {
  return { ...owner, user: serviceRole }
}
