import type { RouteName } from '@printyard/web/lib/api/api-routes'
import type { MemberRole } from '../test-dashboard.ts'

/** What people act with on a page, by the name that it has for them. */
export interface Control {
  name: string | RegExp
  who: readonly MemberRole[]
  /** The routes behind it; none: it changes nothing and asks for nothing that others may not see. */
  calls: readonly RouteName[]
  /** It is there only in some states of its thing. */
  isSeldom?: true
  /** Who may press it depends on this thing of the farm, and not on the route alone. */
  of?: string
}

/** A page in one of its states, and all that can be acted with there. */
export interface View {
  /** Its address, with the names of things in this farm; left out: as the router writes it. */
  at?: string
  /** Where the controls stand. */
  within?: string
  isOnPhone?: true
  controls: readonly Control[]
}

/** The pages of an area in each of their states, by their paths as the router writes them. */
export type PageControls = Readonly<Record<string, readonly View[]>>

const everybody = ['viewer', 'operator', 'admin', 'owner'] as const
const acting = ['operator', 'admin', 'owner'] as const
export const managing = ['admin', 'owner'] as const

/** Everybody sees it, and it calls nothing that others may not. */
export const reads = (...names: (string | RegExp)[]): Control[] =>
  names.map((name) => ({ name, who: everybody, calls: [] }))

/** Everybody does it with what is their own. */
export const owns = (name: string | RegExp, ...calls: RouteName[]): Control => ({ name, who: everybody, calls })

/** Operators and who is above them. */
export const acts = (name: string | RegExp, ...calls: RouteName[]): Control => ({ name, who: acting, calls })

/** Admins and owners. */
export const manages = (name: string | RegExp, ...calls: RouteName[]): Control => ({ name, who: managing, calls })

/** It is of the account as a whole, and only its owners see it. */
export const ownsTheFarm = (name: string): Control => ({ name, who: ['owner'], calls: [] })

/** It is there only in some states of its thing. */
export const seldom = (control: Control): Control => ({ ...control, isSeldom: true })

/** Under a list that has another page. */
export const moreRows = seldom(owns('Show more'))
