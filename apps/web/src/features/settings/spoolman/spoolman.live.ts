import type { LiveRule } from '../../../lib/live/live-rules.ts'

export const spoolmanLiveRules: readonly LiveRule[] = [{ on: ['spoolman.*'], keys: () => [['spoolman']] }]
