import type { LiveRule } from '../../../lib/live/live-rules.ts'

export const automationLiveRules: readonly LiveRule[] = [{ on: ['automation_rule.*'], keys: () => [['automation']] }]
