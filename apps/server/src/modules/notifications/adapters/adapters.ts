import type { Adapter } from './adapter.ts'
import { discord } from './discord.ts'
import { matrix } from './matrix.ts'
import { ntfy } from './ntfy.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

/** The services that a request to an entered address reaches. Mail and browsers are reached in other ways. */
export const adapters = { ntfy, telegram, discord, slack, matrix, webhook } as const satisfies Record<string, Adapter>

/** Kinds of channels that are entered in a form; browsers subscribe themselves. */
export const enteredKinds = ['mail', 'ntfy', 'telegram', 'discord', 'slack', 'matrix', 'webhook'] as const
export type EnteredKind = (typeof enteredKinds)[number]
