/** Time after the end of a print in which what lies on the plate still shows how it ended: a person may come and clear it. */
const showsForMs = 2 * 60_000

/** Until when the camera is worth a look; null where the end was told too late for it. */
export function pictureWantedUntil(endedAt: Date, now: Date): Date | null {
  const until = new Date(endedAt.getTime() + showsForMs)
  return until > now ? until : null
}
