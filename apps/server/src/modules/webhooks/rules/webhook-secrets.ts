import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { SecretBox } from '../../../kernel/secret-box.ts'

/** Bytes of a secret; Standard Webhooks asks for 24 to 64. */
const secretBytes = 32

/** Secrets that a rotation leaves valid beside the present one. */
const mostFormer = 4

/** The secrets of an endpoint: what it is signed with, and what was until a rotation, each with the end of its time. */
interface WebhookSecrets {
  current: string
  former: { secret: string; until: string }[]
}

export function newSecrets(): WebhookSecrets {
  return { current: newSecret(), former: [] }
}

function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`
}

/** A new secret in the place of the present one, which stays valid beside it until `until`. */
export function rotateSecrets({ current, former }: WebhookSecrets, now: Date, until: Date): WebhookSecrets {
  const kept = [{ secret: current, until: until.toISOString() }, ...former]
  return { current: newSecret(), former: kept.filter((each) => isValid(each, now)).slice(0, mostFormer) }
}

function isValid({ until }: { until: string }, now: Date): boolean {
  return Date.parse(until) > now.getTime()
}

/** The header fields that prove where a message comes from: one signature for each secret that is valid at this attempt. */
export function signatureHeaders({ current, former }: WebhookSecrets, id: string, now: Date, body: string) {
  const secrets = [current, ...former.filter((each) => isValid(each, now)).map(({ secret }) => secret)]
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  }
}

export function sealSecrets(box: Pick<SecretBox, 'seal'>, webhookId: string, secrets: WebhookSecrets): Buffer {
  return box.seal(secrets, webhookId)
}

/** @throws Error when no key of the service opens them */
export function openSecrets(box: Pick<SecretBox, 'open'>, webhookId: string, sealed: Buffer): WebhookSecrets {
  // Sealed by `sealSecrets` alone, for this endpoint: the tag tells.
  return box.open(sealed, webhookId) as WebhookSecrets
}
