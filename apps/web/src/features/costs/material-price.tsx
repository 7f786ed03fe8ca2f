import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { MaterialPrice } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { formatAmountText } from '../../lib/money.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { materialPriceQuery, useSetMaterialPrice } from './costs.api.ts'
import { priceProblem, toPrice } from './settings/cost-texts.ts'

/** What a spool, a component or a packaging costs, for owners and admins. */
export function MaterialPricePanel({ materialId }: { materialId: string }) {
  return (
    <Panel title={t('Price')}>
      <QueryView query={useQuery(materialPriceQuery(materialId))} failed={t('The price could not be read')}>
        {(price) => <PriceForm key={price.price} price={price} />}
      </QueryView>
    </Panel>
  )
}

function PriceForm({ price }: { price: MaterialPrice }) {
  const { material_id, unit, currency, type_price } = price
  const form = useForm({
    mode: 'controlled',
    initialValues: { price: price.price ?? '' },
    validate: { price: priceProblem },
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: useSetMaterialPrice(material_id),
    body: (values) => ({ price: toPrice(values.price) }),
    done: () => t('The price is saved'),
  })
  const otherwise =
    type_price === null
      ? t('Empty: not known')
      : t('Empty: that of its type, {type_price}', { type_price: formatAmountText(type_price, currency) })
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow" gap="sm">
        <FormProblem problem={problem} />
        <TextInput
          label={
            unit === 'kilogram'
              ? t('Price of a kilogram, in {currency}', { currency })
              : t('Price of a piece, in {currency}', { currency })
          }
          description={otherwise}
          inputMode="decimal"
          maxLength={20}
          {...form.getInputProps('price')}
        />
        <Group>
          <Button type="submit" variant="default" disabled={toPrice(form.values.price) === price.price}>
            {t('Save the price')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
