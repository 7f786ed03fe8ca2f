import type { ApiRoutes, Member, WorklistTask } from './api-schema.generated.ts'

/** Roles from the one who may most. */
export const roles = ['owner', 'admin', 'operator', 'viewer'] as const
export type Role = (typeof roles)[number]
export type Scope = 'read' | 'write' | 'control'

export interface User {
  id: string
  name: string
  email: string
  totp_enabled: boolean
}

/** Who looks at this page, for which account, and what they may do there. */
export interface Session {
  user: User
  account: { id: string; name: string; time_zone: string }
  member_id: string
  role: Role
  scopes: Scope[]
  may_make_keys: boolean
  accounts: { id: string; name: string; role: Role }[]
  session_id: string
  version: string
}

export interface SessionRow {
  id: string
  created_at: string
  last_seen_at: string
  ip: string
  user_agent: string
  is_current: boolean
}

export interface Invitation {
  id: string
  email: string
  role: Role
  /** User ID of whoever made it. */
  invited_by: string
  mailed: boolean
  expires_at: string
  created_at: string
}

/** A link is shown to whoever made it, once, and only when it was not mailed. */
interface MadeLink {
  url?: string
  mailed: boolean
  expires_at: string
}

export interface ApiKey {
  id: string
  name: string
  scopes: Scope[]
  prefix: string
  last_four: string
  /** `user:usr_…`, or in a word whoever ran the machine. */
  created_by: string | null
  /** Also of a person who has left; null when no person made it. */
  created_by_name: string | null
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

/** One line of what happened in the account. */
export interface EventRow {
  id: string
  type: string
  subject_id: string
  data: Record<string, unknown>
  actor: string
  created_at: string
}

/** What the log of an account is searched by; times as the API writes them. */
export interface AuditFilters {
  actor?: string | undefined
  type?: string | undefined
  subject?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** A task of the worklist with all that a person needs who does it. */
export type WorkCard = WorklistTask & {
  source:
    | 'person'
    | 'plate'
    | 'unknown_fate'
    | 'printer_error'
    | 'hub_silent'
    | 'print_hours'
    | 'assembly'
    | 'health'
    | 'out_of_reach'
    | 'second_copy'
    | 'filament'
  assigned_to: string | null
  assignee_name: string | null
  /** Of a change of filament that the queue asks for. Equal ones are one errand. */
  filament_key: string | null
  assembly_id: string | null
  printer: {
    id: string
    name: string
    model: string
    location: string
    plate_state: 'clear' | 'occupied' | 'unknown'
  } | null
  job: {
    id: string
    product_name: string | null
    file_name: string
    color: string
    filament_type: string
    units_per_plate: number
    plate_number: number | null
    plates_total: number
    is_fate_unknown: boolean
    was_seen_printing: boolean
  } | null
}

interface WorkCardQuery extends PageQuery {
  state?: 'open' | 'done_today' | undefined
  assignee?: 'me' | 'nobody' | undefined
  task_type?: WorkCard['task_type'] | undefined
  printer_id?: string | undefined
  location?: string | undefined
}

type Nothing = Record<string, unknown>
interface PageQuery {
  limit?: number | undefined
  cursor?: string | undefined
}

/** Routes that only people have: they stand in no public description. */
interface PeopleRoutes {
  'GET /setup': { data: { needed: boolean; code_needed: boolean } }
  'POST /setup': {
    body: { account_name: string; name: string; email: string; password: string; time_zone?: string; code?: string }
    data: Session
  }
  'POST /sign-in': { body: { email: string; password: string; code?: string }; data: Session }
  'POST /sign-out': { data: Nothing }
  'GET /session': { data: Session }
  'PUT /session/account': { body: { account_id: string }; data: Session }
  'GET /sessions': { query: PageQuery; data: SessionRow[] }
  'DELETE /sessions/{id}': { params: { id: string }; data: Nothing }
  'PUT /profile': { body: { name: string }; data: User }
  'PUT /password': { body: { current_password?: string; new_password: string }; data: Nothing }
  'POST /password/forgot': { body: { email: string }; data: Nothing }
  'POST /password/reset': { body: { token: string; password: string }; data: Nothing }
  'POST /members/{id}/reset-link': { params: { id: string }; data: MadeLink }
  'PATCH /members/{id}': { params: { id: string }; body: { role: Role }; data: Member }
  'DELETE /members/{id}': { params: { id: string }; data: { id: string; deleted: boolean } }
  'POST /totp': { body: { password: string }; data: { secret: string; otpauth_url: string } }
  'POST /totp/confirm': { body: { code: string }; data: { backup_codes: string[] } }
  'POST /totp/remove': { body: { password: string }; data: Nothing }
  'POST /totp/backup-codes': { body: { password: string }; data: { backup_codes: string[] } }
  'GET /invitations': { query: PageQuery; data: Invitation[] }
  'POST /invitations': { body: { email: string; role: Role }; data: Invitation & MadeLink }
  'DELETE /invitations/{id}': { params: { id: string }; data: Nothing }
  'POST /invitations/look': {
    body: { token: string }
    data: { account_name: string; email: string; role: Role; user_exists: boolean }
  }
  'POST /invitations/accept': { body: { token: string; name?: string; password: string; code?: string }; data: Session }
  'GET /api-keys': { query: PageQuery & { created_by?: string }; data: ApiKey[] }
  'POST /api-keys': {
    body: { name: string; scopes: Scope[]; expires_in_days?: number | null }
    data: ApiKey & { key: string }
  }
  'DELETE /api-keys/{id}': { params: { id: string }; data: { id: string; name: string; revoked_at: string } }
  'GET /account': { data: Account }
  'PATCH /account': { body: Partial<Omit<Account, 'id' | 'created_at'>>; data: Account }
  'GET /audit': { query: PageQuery & AuditFilters; data: EventRow[] }
  'GET /events': { query: PageQuery; data: EventRow[] }
  'GET /work-cards': { query: WorkCardQuery; data: WorkCard[] }
  'GET /work-cards/{id}': { params: { id: string }; data: WorkCard }
  'GET /oidc': { data: { configured: boolean; name: string | null } }
}

export interface Account {
  id: string
  name: string
  time_zone: string
  requeue_rejected_units: boolean
  created_at: string
}

/** Every route this page may call, by method and path under `/app/v1`. */
export type Routes = ApiRoutes & PeopleRoutes
export type RouteName = keyof Routes
export type DataOf<Name extends RouteName> = Routes[Name] extends { data: infer Data } ? Data : never
export type BodyOf<Name extends RouteName> = Routes[Name] extends { body: infer Body } ? Body : never
export type OptionalBodyOf<Name extends RouteName> = Routes[Name] extends { optionalBody: infer Body } ? Body : never
export type QueryOf<Name extends RouteName> = Routes[Name] extends { query: infer Query } ? Query : never
export type ParamsOf<Name extends RouteName> = Routes[Name] extends { params: infer Params } ? Params : never

/** Routes that answer a list in pages. */
export type ListName = { [Name in RouteName]: DataOf<Name> extends readonly unknown[] ? Name : never }[RouteName]
export type RowOf<Name extends ListName> = DataOf<Name> extends readonly (infer Row)[] ? Row : never
