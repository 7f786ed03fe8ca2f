import { Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '../../lib/i18n/t.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { useAddArticle } from './wiki.api.ts'

interface NewArticleDialogProps {
  onClose: () => void
  onAdded: (articleId: string) => void
}

/** Names a new article; it is written in the editor that opens next, as a draft until it is published. */
export function NewArticleDialog({ onClose, onAdded }: NewArticleDialogProps) {
  const add = useAddArticle()
  const form = useForm({ initialValues: { title: '', category: '' } })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: add,
    body: ({ title, category }) => ({
      title: title.trim(),
      ...(category.trim() !== '' && { category: category.trim() }),
    }),
    onDone: ({ id }) => onAdded(id),
  })
  return (
    <Modal opened onClose={onClose} title={t('Write an article')}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput label={t('Title')} required maxLength={200} data-autofocus {...form.getInputProps('title')} />
          <TextInput label={t('Category')} maxLength={100} {...form.getInputProps('category')} />
          <FormButtons label={t('Begin')} isBusy={add.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
