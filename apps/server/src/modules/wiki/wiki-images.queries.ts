import type { Sql } from '../../db/database.ts'
import type { WikiImageRow } from '../../db/rows.generated.ts'
import type { AccountId, WikiArticleId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'

export async function countImagesOfArticle(sql: Sql, accountId: AccountId, articleId: WikiArticleId): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from wiki_images where account_id = ${accountId} and article_id = ${articleId}`
  return row.count
}

export async function insertWikiImage(
  { sql, accountId, now }: Work,
  image: Omit<WikiImageRow, 'account_id' | 'created_at'>,
): Promise<void> {
  await sql`insert into wiki_images ${sql({ account_id: accountId, ...image, created_at: now })}`
}

/** All pictures of an article; answers the contents that they had. */
export async function deleteImagesOfArticle({ sql, accountId }: Work, articleId: WikiArticleId): Promise<string[]> {
  const images = await sql<Pick<WikiImageRow, 'sha256' | 'thumb_sha256'>[]>`
    delete from wiki_images where account_id = ${accountId} and article_id = ${articleId}
    returning sha256, thumb_sha256`
  return images.flatMap((image) => [image.sha256, image.thumb_sha256])
}
