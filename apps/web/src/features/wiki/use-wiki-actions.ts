import { api } from '../../lib/api/api.ts'
import { useActions } from '../../ui/dialogs/use-actions.ts'

interface Subject {
  id: string
  title: string
}

/** What a person does with an article by one button. Each answers whether it was done. */
export function useWikiActions() {
  const { busyId, perform } = useActions('wiki')
  return {
    busyId,
    publish: ({ id, title }: Subject) =>
      perform({
        id,
        call: () => api.call('POST /wiki/{id}/publish', { params: { id } }),
        done: `${title} is published`,
        failed: `${title} could not be published`,
      }),
    unpublish: ({ id, title }: Subject) =>
      perform({
        id,
        question: {
          title: `Take ${title} back?`,
          body: 'It keeps its text, and is not shown with assembly tasks any more.',
          confirmLabel: 'Take it back',
        },
        call: () => api.call('POST /wiki/{id}/unpublish', { params: { id } }),
        done: `${title} is a draft again`,
        failed: `${title} could not be taken back`,
      }),
    remove: ({ id, title }: Subject) =>
      perform({
        id,
        question: {
          title: `Delete ${title}?`,
          body: 'Its revisions and pictures go with it, for good.',
          confirmLabel: 'Delete the article',
          isDangerous: true,
        },
        call: () => api.call('DELETE /wiki/{idOrSlug}', { params: { idOrSlug: id } }),
        done: `${title} is deleted`,
        failed: `${title} could not be deleted`,
      }),
    restore: ({ id, title }: Subject, number: number, body: Parameters<typeof restoreBody>[0]) =>
      perform({
        id,
        question: {
          title: `Bring back revision ${number} of ${title}?`,
          body: 'The article says again what it said then. That is a revision of its own: nothing is lost.',
          confirmLabel: 'Bring it back',
        },
        call: () => api.call('PATCH /wiki/{idOrSlug}', { params: { idOrSlug: id }, body: restoreBody(body) }),
        done: `${title} says again what it said in revision ${number}`,
        failed: `Revision ${number} could not be brought back`,
      }),
  }
}

/** All that a revision said, but for its address, by which others may know the article. */
function restoreBody<Article extends { slug: string }>({ slug: _, ...article }: Article): Omit<Article, 'slug'> {
  return article
}
