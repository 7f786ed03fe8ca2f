import { Menu } from '@mantine/core'
import { useState } from 'react'
import type { Shop } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { ChangeShopDialog } from './shop-form.tsx'
import { useAuthoriseShop, useChangeShop, useDisconnectShop, useReadShop, useTestShop } from './shops.api.ts'

export function ShopActions({ shop }: { shop: Shop }) {
  const { id, name, status } = shop
  const [isChanging, setIsChanging] = useState(false)
  const { perform } = useActions()
  const change = useChangeShop(id)
  const test = useTestShop()
  const read = useReadShop()
  const disconnect = useDisconnectShop()
  const authorise = useAuthoriseShop()
  const isPaused = status === 'paused'
  const ask = () =>
    test.mutate(id, {
      onSuccess: ({ ok, shop_name: shopName, problem }) =>
        ok
          ? toastDone(
              shopName
                ? t('{name} answers as {shopName} and accepts the credentials', { name, shopName })
                : t('{name} answers and accepts the credentials', { name }),
            )
          : toastFailed(t('{name} refuses the connection: {problem}', { name, problem: problem ?? '' }), undefined),
      onError: (error) => toastFailed(t('The shop could not be tested'), error),
    })
  return (
    <>
      <RowMenu label={t('More about the shop {name}', { name })}>
        <Menu.Item onClick={ask}>{t('Test the connection')}</Menu.Item>
        {!isPaused && (
          <Menu.Item
            onClick={() =>
              void perform({
                id,
                call: () => read.mutateAsync(id),
                done: t('{name} is read now', { name }),
                failed: t('{name} could not be read', { name }),
              })
            }
          >
            {t('Read now')}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => setIsChanging(true)}>{t('Change…')}</Menu.Item>
        {shop.platform === 'etsy' && (
          <Menu.Item
            onClick={() =>
              authorise.mutate(id, { onError: (error) => toastFailed(t('Etsy could not be asked'), error) })
            }
          >
            {t('Let Printyard in at Etsy…')}
          </Menu.Item>
        )}
        <Menu.Item
          onClick={() =>
            void perform({
              id,
              call: () => change.mutateAsync({ is_active: isPaused }),
              done: isPaused ? t('The shop {name} is resumed', { name }) : t('The shop {name} is paused', { name }),
              failed: t('The shop {name} could not be changed', { name }),
            })
          }
        >
          {isPaused ? t('Resume') : t('Pause')}
        </Menu.Item>
        <Menu.Item
          color="red"
          onClick={() =>
            void perform({
              id,
              question: {
                title: t('Disconnect {name}?', { name }),
                body: t(
                  'Its keys are erased, and nothing more is read there or told to it. Orders stay. Delete the key and the webhooks in the shop as well.',
                ),
                confirmLabel: t('Disconnect the shop'),
                isDangerous: true,
              },
              call: () => disconnect.mutateAsync(id),
              done: t('The shop {name} is disconnected', { name }),
              failed: t('The shop {name} could not be disconnected', { name }),
            })
          }
        >
          {t('Disconnect…')}
        </Menu.Item>
      </RowMenu>
      {isChanging && <ChangeShopDialog shop={shop} onClose={() => setIsChanging(false)} />}
    </>
  )
}
