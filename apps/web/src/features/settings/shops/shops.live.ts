import type { LiveRule } from '../../../lib/live/live-rules.ts'

export const shopLiveRules: readonly LiveRule[] = [{ on: ['shop.*'], keys: () => [['shops']] }]
