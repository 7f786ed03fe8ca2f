import { Checkbox, Fieldset, Modal, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Order, OrderDetails } from '../../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { MomentInput } from '../../../ui/forms/moment-input.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { CustomerInputs } from '../customer-inputs.tsx'
import { priorityOptions } from '../order-state.ts'
import { useChangeOrder } from '../orders.api.ts'

interface EditOrderDialogProps {
  order: Order
  details: OrderDetails
  onClose: () => void
}

/** Changes when an order is to leave and to whom. Only what differs is sent. */
export function EditOrderDialog({ order, details, onClose }: EditOrderDialogProps) {
  const initialValues = {
    priority: details.priority,
    ship_by: details.ship_by,
    is_paid: details.is_paid,
    tracking_number: order.tracking_number,
    tracking_url: order.tracking_url,
    notes: order.notes,
    customer_name: order.customer_name,
    customer_email: order.customer_email,
    customer_phone: order.customer_phone,
    shipping_street: order.shipping_street,
    shipping_zip: order.shipping_zip,
    shipping_city: order.shipping_city,
    shipping_state: order.shipping_state,
    shipping_country: order.shipping_country,
  }
  const form = useForm({ initialValues })
  const change = useChangeOrder(order.id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: (values) => changedFields(initialValues, values),
    done: () => t('Order {order_number} is changed', { order_number: order.order_number }),
    onDone: onClose,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Change order {order_number}', { order_number: order.order_number })}
      size="lg"
    >
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Select
              label={t('Priority')}
              data={[...priorityOptions]}
              allowDeselect={false}
              {...form.getInputProps('priority')}
            />
            <MomentInput label={t('To ship by')} {...form.getInputProps('ship_by')} />
          </SimpleGrid>
          <Checkbox label={t('The customer has paid')} {...form.getInputProps('is_paid', { type: 'checkbox' })} />
          <Fieldset legend={t('Customer')}>
            <CustomerInputs inputProps={form.getInputProps} />
          </Fieldset>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <TextInput label={t('Tracking number')} maxLength={200} {...form.getInputProps('tracking_number')} />
            <TextInput label={t('Page that follows it')} maxLength={2000} {...form.getInputProps('tracking_url')} />
          </SimpleGrid>
          <Textarea label={t('Notes')} autosize minRows={2} maxLength={2000} {...form.getInputProps('notes')} />
          <FormButtons label={t('Save')} isBusy={change.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
