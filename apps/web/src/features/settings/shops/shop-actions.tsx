import { Menu } from '@mantine/core'
import { useState } from 'react'
import type { Shop } from '../../../lib/api/api-schema.generated.ts'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { ChangeShopDialog } from './shop-form.tsx'
import { useChangeShop, useDisconnectShop, useReadShop, useTestShop } from './shops.api.ts'

export function ShopActions({ shop }: { shop: Shop }) {
  const { id, name, status } = shop
  const [isChanging, setIsChanging] = useState(false)
  const { perform } = useActions()
  const change = useChangeShop(id)
  const test = useTestShop()
  const read = useReadShop()
  const disconnect = useDisconnectShop()
  const isPaused = status === 'paused'
  const ask = () =>
    test.mutate(id, {
      onSuccess: ({ ok, shop_name: shopName, problem }) =>
        ok
          ? toastDone(`${name} answers${shopName ? ` as ${shopName}` : ''}, and lets us in`)
          : toastFailed(`${name} does not let us in: ${problem ?? ''}`, undefined),
      onError: (error) => toastFailed('The shop could not be tested', error),
    })
  return (
    <>
      <RowMenu label={`More about the shop ${name}`}>
        <Menu.Item onClick={ask}>Test the connection</Menu.Item>
        {!isPaused && (
          <Menu.Item
            onClick={() =>
              void perform({
                id,
                call: () => read.mutateAsync(id),
                done: `${name} is read now`,
                failed: `${name} could not be read`,
              })
            }
          >
            Read now
          </Menu.Item>
        )}
        <Menu.Item onClick={() => setIsChanging(true)}>Change…</Menu.Item>
        <Menu.Item
          onClick={() =>
            void perform({
              id,
              call: () => change.mutateAsync({ is_active: isPaused }),
              done: isPaused ? `The shop ${name} is resumed` : `The shop ${name} is paused`,
              failed: `The shop ${name} could not be changed`,
            })
          }
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Menu.Item>
        <Menu.Item
          color="red"
          onClick={() =>
            void perform({
              id,
              question: {
                title: `Disconnect ${name}?`,
                body: 'Its keys are erased, and nothing more is read there or told to it. Orders stay. Delete the key and the webhooks in the shop as well.',
                confirmLabel: 'Disconnect the shop',
                isDangerous: true,
              },
              call: () => disconnect.mutateAsync(id),
              done: `The shop ${name} is disconnected`,
              failed: `The shop ${name} could not be disconnected`,
            })
          }
        >
          Disconnect…
        </Menu.Item>
      </RowMenu>
      {isChanging && <ChangeShopDialog shop={shop} onClose={() => setIsChanging(false)} />}
    </>
  )
}
