import { Anchor, Button, FileInput, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { randomKey } from '@printyard/sdk/random-key'
import { useState } from 'react'
import type { OrderImport } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { type ImportQuery, useImportOrders } from '../orders.api.ts'
import { ImportProgress, type ImportUnderWay } from './import-progress.tsx'
import { ImportRows } from './import-rows.tsx'
import { templateAddress } from './order-template.ts'
import './import-form.css'

const formats = [
  { value: 'printyard', label: t('Our own template') },
  { value: 'shopify', label: t('Shopify: export of orders') },
  { value: 'etsy', label: t('Etsy: Order Items') },
  { value: 'woocommerce', label: t('WooCommerce: export of a plugin') },
] as const

type Format = (typeof formats)[number]['value']

/** A file of orders: chosen, looked through row by row, and only then recorded. */
export function ImportForm() {
  const [file, setFile] = useState<File | null>(null)
  const [format, setFormat] = useState<Format | null>(null)
  const [shop, setShop] = useState('')
  const [currency, setCurrency] = useState('')
  const look = useImportOrders()
  const record = useImportOrders()
  const query: ImportQuery = {
    ...(format !== null && { format }),
    ...(shop.trim() !== '' && { shop: shop.trim() }),
    ...(currency.trim() !== '' && { currency: currency.trim().toUpperCase() }),
  }
  /** What was looked through is no longer what would be recorded. */
  const forget = () => {
    look.reset()
    record.reset()
  }
  const [underWay, setUnderWay] = useState<ImportUnderWay>()
  const send = (through: typeof look, chosen: File, asked: ImportQuery) => {
    const progressId = randomKey()
    setUnderWay({ name: chosen.name, progressId })
    through.mutate({
      file: chosen,
      query: { ...asked, progress_id: progressId },
      onSent: (sent) => setUnderWay({ name: chosen.name, progressId, sent }),
    })
  }
  const preview = (chosen: File) => send(look, chosen, { ...query, dry_run: true })
  const seen = record.data ?? look.data
  return (
    <Stack gap="md">
      <Panel title={t('The file')}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            record.reset()
            if (file) preview(file)
          }}
        >
          <Stack>
            <FormProblem problem={look.error ?? record.error ?? undefined} />
            <SimpleGrid cols={{ base: 1, xs: 2 }} maw="44rem" spacing="sm">
              <FileInput
                label={t('CSV file')}
                description={t('An export of the shop, or a file by our template')}
                placeholder={t('Choose a file')}
                classNames={{ placeholder: 'import-placeholder' }}
                accept=".csv,text/csv"
                value={file}
                onChange={(chosen) => {
                  setFile(chosen)
                  forget()
                  // A look writes nothing: it needs no word of its own.
                  if (chosen) preview(chosen)
                }}
              />
              <Select
                label={t('Source of the file')}
                description={t('Left empty, the names of its columns tell')}
                placeholder={t('Told by its columns')}
                data={[...formats]}
                value={format}
                // The values are those of `formats`.
                onChange={(value) => {
                  setFormat(value as Format | null)
                  forget()
                }}
                clearable
              />
              <TextInput
                label={t('Shop')}
                description={t('If you have several on the platform')}
                maxLength={100}
                value={shop}
                onChange={({ currentTarget }) => {
                  setShop(currentTarget.value)
                  forget()
                }}
              />
              <TextInput
                label={t('Currency')}
                description={t('For rows without a currency; empty: that of the account')}
                maxLength={3}
                value={currency}
                onChange={({ currentTarget }) => {
                  setCurrency(currentTarget.value)
                  forget()
                }}
              />
            </SimpleGrid>
            <Group>
              <Button
                type="submit"
                variant={look.data ? 'default' : 'filled'}
                disabled={!file}
                loading={look.isPending}
              >
                {t('Preview')}
              </Button>
              <Anchor href={templateAddress} download="orders.csv" size="sm">
                {t('Download the template')}
              </Anchor>
            </Group>
            {(look.isPending || record.isPending) && underWay && <ImportProgress {...underWay} />}
          </Stack>
        </form>
      </Panel>
      {seen && (
        <Panel title={seen.dry_run ? t('Preview of the import') : t('Result of the import')}>
          <Text mb="sm" role="status">
            {outcomeWords(seen)}
          </Text>
          {seen.ignored_columns.length > 0 && (
            <Text mb="sm">
              {t('Columns that our template does not have are not read: {columns}.', {
                columns: seen.ignored_columns.join(', '),
              })}
            </Text>
          )}
          <Group mb="md">
            {seen.dry_run && seen.orders.created > 0 && file && (
              <Button loading={record.isPending} onClick={() => send(record, file, query)}>
                {t('Import {created, plural, one {# order} other {# orders}}', { created: seen.orders.created })}
              </Button>
            )}
            {!seen.dry_run && (
              <>
                {seen.unmapped_items > 0 && <LinkButton to="/orders/unmapped">{t('Map lines')}</LinkButton>}
                <LinkButton to="/orders" variant="default">
                  {t('Show the orders')}
                </LinkButton>
              </>
            )}
          </Group>
          <ImportRows rows={seen.rows} isDryRun={seen.dry_run} />
        </Panel>
      )}
    </Stack>
  )
}

/** `3 orders would be recorded, 1 is there already, 1 is refused. 2 lines stand for no SKU yet.` */
function outcomeWords({ dry_run, orders, unmapped_items }: OrderImport): string {
  const { created, exists, skipped, refused } = orders
  const parts = [
    dry_run
      ? t('{created, plural, one {# order} other {# orders}} would be recorded', { created })
      : t('{created, plural, one {# order is} other {# orders are}} recorded', { created }),
    ...(exists > 0 ? [t('{exists, plural, one {# is} other {# are}} there already', { exists })] : []),
    ...(skipped > 0 ? [t('{skipped, plural, one {# is} other {# are}} over in the shop', { skipped })] : []),
    ...(refused > 0 ? [t('{refused, plural, one {# is} other {# are}} refused', { refused })] : []),
  ]
  const unmapped =
    unmapped_items === 0
      ? ''
      : t(
          ' {count, plural, one {# line stands for no SKU yet: it is} other {# lines stand for no SKU yet: they are}} kept, to be mapped.',
          { count: unmapped_items },
        )
  return `${parts.join(', ')}.${unmapped}`
}
