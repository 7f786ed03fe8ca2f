import type { LiveRule } from '../../../lib/live/live-rules.ts'

export const webhookLiveRules: readonly LiveRule[] = [{ on: ['webhook.*'], keys: () => [['webhooks']] }]
