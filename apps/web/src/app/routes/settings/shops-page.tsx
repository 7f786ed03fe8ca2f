import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ConnectShopDialog } from '../../../features/settings/shops/shop-form.tsx'
import { ShopTable } from '../../../features/settings/shops/shop-table.tsx'
import { shopListQuery, useEndAuthorisation } from '../../../features/settings/shops/shops.api.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { NoPermission } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

export function ShopsPage() {
  return useMay('admin') ? (
    <Shops />
  ) : (
    <>
      <PageHeader title={t('Shops')} />
      <NoPermission />
    </>
  )
}

const description = (
  <Rich
    text="Orders of your shops arrive automatically, and shipped parcels are reported to the shops. Lines that are not mapped to a SKU yet wait in <link>unmapped lines</link>."
    values={{
      link: (words) => (
        <LinkText to="/orders/unmapped" underline="always">
          {words}
        </LinkText>
      ),
    }}
  />
)

function Shops() {
  const list = useInfiniteQuery(shopListQuery())
  useReturnFromShop()
  const [isConnecting, { open, close }] = useDisclosure(false)
  const connect = (
    <Button data-adds leftSection={<Icon name="plus" size={16} />} onClick={open}>
      {t('Connect a shop')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('Shops')} description={description} actions={connect} />
      <QueryView query={list} failed={t('The shops could not be read')}>
        {(data) => {
          const shops = rowsOf(data) ?? []
          if (shops.length === 0) {
            return (
              <EmptyState icon="shop" title={t('No shop yet')}>
                {t(
                  'Connect your WooCommerce, Shopify or Etsy shop. Other shops bring their orders by files, or by the API.',
                )}
              </EmptyState>
            )
          }
          return <ShopTable shops={shops} {...morePages(list)} />
        }}
      </QueryView>
      {isConnecting && <ConnectShopDialog onClose={close} />}
    </>
  )
}

/** What a shop gave the browser that it has sent back is taken once, and leaves the address. */
function useReturnFromShop(): void {
  const end = useEndAuthorisation()
  const isTaken = useRef(false)
  useEffect(() => {
    const given = new URLSearchParams(window.location.search)
    const [code, state, refusal] = ['code', 'state', 'error_description'].map((name) => given.get(name))
    if (isTaken.current || (!refusal && !(code && state))) return
    isTaken.current = true
    window.history.replaceState(null, '', window.location.pathname)
    if (!code || !state) {
      toastFailed(t('Etsy has not let Printyard in: {problem}', { problem: refusal ?? '' }), undefined)
      return
    }
    end.mutate(
      { code, state },
      {
        onSuccess: ({ name }) => toastDone(t('{name} is read from now on', { name })),
        onError: (error) => toastFailed(t('Etsy has not let Printyard in'), error),
      },
    )
  }, [end])
}
