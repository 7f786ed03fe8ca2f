import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  Input,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef } from 'react'
import type { Order } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { formatMoney, minorDigits } from '../../../lib/money.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { MomentInput } from '../../../ui/forms/moment-input.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { Icon } from '../../../ui/icon.tsx'
import { SkuSelect } from '../../skus/sku-select.tsx'
import { CustomerInputs } from '../customer-inputs.tsx'
import { platformOptions, priorityOptions } from '../order-state.ts'
import { useAddOrder } from '../orders.api.ts'
import { emptyLine, emptyOrder, newOrderBody, type OrderTexts, totalOf } from './new-order.ts'
import './new-order-form.css'

interface NewOrderFormProps {
  /** That of the account. */
  currency: string
  onMade: (order: Order) => void
}

/** Enters an order by hand. */
export function NewOrderForm({ currency: accountCurrency, onMade }: NewOrderFormProps) {
  const form = useForm<OrderTexts>({
    initialValues: emptyOrder(accountCurrency),
    validate: {
      currency: (code) => (/^[A-Za-z]{3}$/.test(code.trim()) ? null : t('A code such as EUR')),
      lines: { product_sku_id: (id) => (id === null ? t('Choose a SKU') : null) },
    },
  })
  const add = useAddOrder()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: add,
    body: newOrderBody,
    done: ({ order_number }) => t('Order {order_number} is recorded', { order_number }),
    onDone: onMade,
    fieldErrors: ({ code, message }) => (code === 'DUPLICATE_ORDER_NUMBER' ? { order_number: message } : undefined),
  })
  const shown = useRef<HTMLFormElement>(null)
  // What the service refuses may stand far above the button.
  useEffect(() => {
    if (add.error) showFault(shown.current)
  }, [add.error])
  const { lines } = form.values
  const code = form.values.currency.trim().toUpperCase()
  const isCode = /^[A-Z]{3}$/.test(code)
  const digits = minorDigits(code)
  const amount = { min: 0, decimalScale: digits, hideControls: true, inputMode: 'decimal' as const }
  return (
    <form
      ref={shown}
      onSubmit={(event) => {
        submit(event)
        requestAnimationFrame(() => showFault(shown.current))
      }}
      noValidate
    >
      <Stack className="new-order">
        <FormProblem problem={problem} />
        <Fieldset legend={t('Order lines')}>
          <Stack gap="md">
            {lines.map((line, index) => (
              <div key={line.key} className="new-order-line">
                <SkuSelect
                  className="new-order-wide"
                  label={lines.length > 1 ? t('SKU {index}', { index: index + 1 }) : 'SKU'}
                  withAsterisk
                  {...form.getInputProps(`lines.${index}.product_sku_id`)}
                />
                <NumberInput
                  label={t('Pieces')}
                  min={1}
                  max={100_000}
                  allowDecimal={false}
                  {...form.getInputProps(`lines.${index}.quantity`)}
                />
                <NumberInput
                  label={t('Price of one')}
                  {...amount}
                  {...form.getInputProps(`lines.${index}.unit_price`)}
                />
                <TextInput
                  className="new-order-wide"
                  label={t('Personalisation')}
                  maxLength={1000}
                  {...form.getInputProps(`lines.${index}.personalisation`)}
                />
                {lines.length > 1 && (
                  <Button
                    variant="default"
                    className="new-order-remove"
                    aria-label={t('Remove line {index}', { index: index + 1 })}
                    onClick={() => form.removeListItem('lines', index)}
                  >
                    <Icon name="trash" size={16} />
                  </Button>
                )}
              </div>
            ))}
            {form.errors.items !== undefined && <Input.Error>{form.errors.items}</Input.Error>}
            <Group justify="space-between">
              <Button
                variant="default"
                leftSection={<Icon name="plus" size={16} />}
                onClick={() => form.insertListItem('lines', emptyLine())}
              >
                {t('Add a line')}
              </Button>
              {isCode && (
                <Text size="sm" aria-live="polite">
                  {t('Total {totalOf}', { totalOf: formatMoney(totalOf(form.values), code) })}
                </Text>
              )}
            </Group>
          </Stack>
        </Fieldset>
        <Fieldset legend={t('The order')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <TextInput
              label={t('Order number')}
              placeholder={t('Made up when left empty')}
              maxLength={100}
              {...form.getInputProps('order_number')}
            />
            <Select
              label={t('Platform')}
              data={platformOptions}
              allowDeselect={false}
              {...form.getInputProps('platform')}
            />
            <TextInput
              label={t('Shop')}
              placeholder={t('The only one')}
              maxLength={100}
              {...form.getInputProps('shop')}
            />
            <TextInput label={t('Currency')} maxLength={3} {...form.getInputProps('currency')} />
            <Select
              label={t('Priority')}
              data={[...priorityOptions]}
              allowDeselect={false}
              {...form.getInputProps('priority')}
            />
            <MomentInput
              label={t('To ship by')}
              description={t('Left empty: by the handling days of the account')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...form.getInputProps('ship_by')}
            />
            <NumberInput label={t('Shipping')} {...amount} {...form.getInputProps('shipping_cost')} />
            <NumberInput label={t('Tax')} {...amount} {...form.getInputProps('tax_amount')} />
            <NumberInput label={t('Discount')} {...amount} {...form.getInputProps('discount_amount')} />
          </SimpleGrid>
          <Checkbox
            mt="sm"
            label={t('The customer has paid')}
            {...form.getInputProps('is_paid', { type: 'checkbox' })}
          />
          <Textarea label={t('Notes')} mt="sm" autosize minRows={2} maxLength={2000} {...form.getInputProps('notes')} />
        </Fieldset>
        <Fieldset legend={t('Customer')}>
          <CustomerInputs inputProps={form.getInputProps} />
        </Fieldset>
        <Group>
          <Button type="submit" loading={add.isPending}>
            {t('Record the order')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Goes to the first field that is wrong, or else to what is wrong with the whole. */
function showFault(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  if (field) field.focus()
  else form?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' })
}
