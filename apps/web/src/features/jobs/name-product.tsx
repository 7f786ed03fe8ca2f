import { Button, Group, Select } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { t } from '../../lib/i18n/t.ts'
import { useMay } from '../../lib/session.ts'
import { toastDone, toastFailed } from '../../ui/dialogs/toast.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { skuChoicesQuery } from './jobs.api.ts'

/** Says afterwards what a job makes; nothing where the account makes no products. */
export function NameProduct({ jobId, name }: { jobId: string; name: string }) {
  const queryClient = useQueryClient()
  const mayWrite = useMay('write')
  const skus = useQuery(skuChoicesQuery())
  const [skuId, setSkuId] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: () => api.call('PUT /jobs/{id}/product', { params: { id: jobId }, body: { product_sku_id: skuId } }),
    onSuccess: () => toastDone(t('The product of {name} is named', { name })),
    onError: (error) => toastFailed(t('The product of {name} was not named', { name }), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs'] }),
  })
  if (!mayWrite || !skus.data || skus.data.length === 0) return null
  return (
    <Panel title={t('No product')}>
      <Group align="end">
        <Select
          label={t('SKU that it makes')}
          description={t('Its units go into stock when the job is done')}
          placeholder={t('Choose a SKU')}
          searchable
          data={skus.data.map(({ id, sku }) => ({ value: id, label: sku }))}
          value={skuId}
          onChange={setSkuId}
        />
        <Button disabled={skuId === null} loading={save.isPending} onClick={() => save.mutate()}>
          {t('Name the product')}
        </Button>
      </Group>
    </Panel>
  )
}
