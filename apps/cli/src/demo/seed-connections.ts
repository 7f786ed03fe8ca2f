import type { Context } from '@printyard/server/context/context'
import type { AccountId, NotificationChannelId } from '@printyard/server/kernel/ids'
import { workIn } from '@printyard/server/modules/events/work'
import { changeChannel, createChannel } from '@printyard/server/modules/notifications/channels/channels.service'
import { demoChannel, demoWebhooks } from './demo-farm.ts'
import type { FarmClient } from './farm-client.ts'

type Known = Pick<Context, 'db' | 'config' | 'secrets'>

/** The webhooks of the farm; those with a path are told to the receiver of the demo, the others are paused. */
export async function seedWebhooks(farm: FarmClient, receiverUrl: string): Promise<void> {
  for (const { url, description, event_types } of demoWebhooks) {
    const isHere = url.startsWith('/')
    const { id } = await farm.post<{ id: string }>('/webhooks', {
      url: isHere ? `${receiverUrl}${url}` : url,
      description,
      event_types,
    })
    if (!isHere) await farm.patch(`/webhooks/${id}`, { is_active: false })
  }
}

/** The channel by which people of the demo farm are told. */
export async function seedChannel(
  context: Known,
  accountId: AccountId,
  receiverUrl: string,
): Promise<NotificationChannelId> {
  return context.db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor: 'demo', now: new Date() })
    const { channel } = await createChannel(context, work, {
      kind: 'webhook',
      name: demoChannel.name,
      url: `${receiverUrl}${demoChannel.path}`,
    })
    return channel.id
  })
}

/** Lets webhooks and channel find the receiver on the port that this start has given it. */
export async function followReceiver(
  context: Known,
  farm: FarmClient,
  {
    accountId,
    channelId,
    receiverUrl,
  }: { accountId: AccountId; channelId: NotificationChannelId; receiverUrl: string },
): Promise<void> {
  const webhooks = await farm.get<{ id: string; description: string }[]>('/webhooks')
  for (const { url, description } of demoWebhooks.filter((each) => each.url.startsWith('/'))) {
    const known = webhooks.find((each) => each.description === description)
    if (known) await farm.patch(`/webhooks/${known.id}`, { url: `${receiverUrl}${url}` })
  }
  await context.db.begin((sql) =>
    changeChannel(context, workIn(sql, { accountId, actor: 'demo', now: new Date() }), channelId, {
      url: `${receiverUrl}${demoChannel.path}`,
    }),
  )
}
