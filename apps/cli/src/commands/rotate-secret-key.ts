import { readHolder } from '@printyard/server/db/embedded/data-directory'
import { resealKeptAnswers } from '@printyard/server/http/idempotency'
import {
  createSecretBox,
  forgetFormerSecretKey,
  loadFormerSecretKeys,
  loadSecretKey,
  openSecretBox,
  rotateSecretKey,
} from '@printyard/server/kernel/secret-box'
import { resealBrokers } from '@printyard/server/modules/mqtt/settings/broker-secrets'
import { resealChannels } from '@printyard/server/modules/notifications/channels/reseal-channels'
import { resealFactors } from '@printyard/server/modules/people/second-factor/second-factor'
import { resealConnections } from '@printyard/server/modules/printers/connection/reseal-connections'
import { resealShops } from '@printyard/server/modules/shops/settings/shop-secrets'
import { resealWebhooks } from '@printyard/server/modules/webhooks/settings/reseal-webhooks'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { connectForCommand, type DataDirOption, readCommandConfig } from '../with-database.ts'

/** Makes a new secret key, and seals with it what the former one sealed. The service must not run: it would go on with the former one. */
export async function rotateKey(options: DataDirOption): Promise<Answer> {
  const config = readCommandConfig(options)
  const connected = await connectForCommand(config, 'secret-key rotate')
  try {
    // With a database of one's own the command is not told of the service: its data directory says so.
    const holder = connected.kind === 'external' ? await readHolder(config.dataDir) : undefined
    if (connected.kind === 'beside-service' || holder?.purpose === 'service') {
      throw new CommandError('The service is running: stop it first, and start it again afterwards.', 1)
    }
    const secrets = await takeNewKey(config)
    const { connections, factors, webhooks, channels, shops, brokers, answers } = await connected.database.begin(
      async (sql) => ({
        connections: await resealConnections(secrets, sql),
        factors: await resealFactors(secrets, sql),
        webhooks: await resealWebhooks(secrets, sql),
        channels: await resealChannels(secrets, sql),
        shops: await resealShops(secrets, sql),
        brokers: await resealBrokers(secrets, sql),
        answers: await resealKeptAnswers(secrets, sql),
      }),
    )
    const unreadable = [
      ...connections.unreadable,
      ...factors.unreadable,
      ...webhooks.unreadable,
      ...channels.unreadable,
      ...shops.unreadable,
      ...brokers.unreadable,
    ]
    return {
      document: {
        printers: connections.sealed,
        second_factors: factors.sealed,
        webhooks: webhooks.sealed,
        notification_channels: channels.sealed,
        shops: shops.sealed,
        mqtt_brokers: brokers.sealed,
        kept_answers: answers.sealed,
        unreadable_printers: connections.unreadable,
        unreadable_second_factors: factors.unreadable,
        unreadable_webhooks: webhooks.unreadable,
        unreadable_notification_channels: channels.unreadable,
        unreadable_shops: shops.unreadable,
        unreadable_mqtt_brokers: brokers.unreadable,
        unreadable_kept_answers: answers.unreadable,
      },
      text: [
        `Sealed with the new key: connections of ${connections.sealed} printers, ${factors.sealed} authenticator apps, secrets of ${webhooks.sealed} webhooks, settings of ${channels.sealed} notification channels, keys of ${shops.sealed} shops, settings of ${brokers.sealed} MQTT brokers, ${answers.sealed} answers kept for retries.`,
        ...(unreadable.length > 0 ? [`Could be opened by no key, enter them again: ${unreadable.join(', ')}.`] : []),
        'People sign in again. Backup codes of before and file addresses under way are good for as long as the former key is there;',
        'then end the rotation: printyard secret-key forget-former',
      ].join('\n'),
    }
  } finally {
    await connected.close()
  }
}

async function takeNewKey(config: ReturnType<typeof readCommandConfig>) {
  if (config.secretKey === undefined) {
    // One that was broken off goes on: both keys are there already.
    const [underWay] = await loadFormerSecretKeys(config.dataDir)
    if (underWay !== undefined && underWay !== (await loadSecretKey(config.dataDir))) return openSecretBox(config)
    const { key, former } = await rotateSecretKey(config.dataDir)
    return createSecretBox(key, [former])
  }
  if (config.formerSecretKey === undefined) {
    const words = 'Set the new key as PRINTYARD_SECRET_KEY and the present one as PRINTYARD_FORMER_SECRET_KEY first.'
    throw new CommandError(words, 2)
  }
  return openSecretBox(config)
}

/** Ends a rotation. */
export async function forgetFormerKey(options: DataDirOption): Promise<Answer> {
  const isForgotten = await forgetFormerSecretKey(readCommandConfig(options).dataDir)
  const text = isForgotten
    ? 'The former key opens nothing any more, from the next start of the service on.'
    : 'There is no former key.'
  return { document: { forgotten: isForgotten }, text }
}
