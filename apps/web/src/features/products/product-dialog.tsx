import { Autocomplete, Checkbox, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { Product } from '../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../lib/changed-fields.ts'
import { t } from '../../lib/i18n/t.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { categoriesQuery } from './products.api.ts'

const empty = {
  name: '',
  category: '',
  description: '',
  requires_assembly: false,
  requires_post_processing: false,
}
type FormValues = typeof empty

interface ProductDialogProps {
  /** Undefined: a new one. */
  product?: Product
  onClose: () => void
  onSaved?: (product: Product) => void
}

/** Adds a product, or changes what is said of one. */
export function ProductDialog({ product, onClose, onSaved }: ProductDialogProps) {
  const queryClient = useQueryClient()
  const categories = useQuery(categoriesQuery())
  const initialValues: FormValues = product
    ? {
        name: product.name,
        category: product.category,
        description: product.description,
        requires_assembly: product.requires_assembly,
        requires_post_processing: product.requires_post_processing,
      }
    : empty
  const form = useForm({ initialValues })
  const save = useMutation({
    mutationFn: async (values: FormValues) => {
      if (!product) return api.call('POST /products', { body: values })
      const body = changedFields(initialValues, values)
      if (Object.keys(body).length === 0) return product
      return api.call('PATCH /products/{id}', { params: { id: product.id }, body })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['products'] }),
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => ({ ...values, name: values.name.trim(), category: values.category.trim() }),
    done: ({ name }) => (product ? t('{name} is saved', { name }) : t('{name} is added', { name })),
    onDone: (saved) => {
      onClose()
      onSaved?.(saved)
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={product ? t('Edit {name}', { name: product.name }) : t('Add a product')}
      size="lg"
    >
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput label={t('Name')} required maxLength={200} data-autofocus {...form.getInputProps('name')} />
          <Autocomplete
            label={t('Category')}
            placeholder={t('None')}
            maxLength={100}
            data={(categories.data ?? []).map(({ category }) => category)}
            {...form.getInputProps('category')}
          />
          <Textarea
            label={t('Description')}
            autosize
            minRows={2}
            maxRows={10}
            maxLength={5000}
            {...form.getInputProps('description')}
          />
          <Checkbox
            label={t('Printed pieces are assembled before they are ready')}
            {...form.getInputProps('requires_assembly', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('Printed pieces need work such as sanding')}
            {...form.getInputProps('requires_post_processing', { type: 'checkbox' })}
          />
          <FormButtons label={product ? t('Save') : t('Add product')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
