import { expect, test } from 'vitest'
import { amzDate, authorizationOf, escapeUri, queryText, sha256Hex, signedQuery } from './signature.ts'

/** The examples of the S3 reference, "Signature Calculations for the Authorization Header". */
const credentials = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const now = new Date('2013-05-24T00:00:00Z')
const emptySha256 = sha256Hex('')

const signatureOf = (authorization: string) => authorization.split('Signature=')[1]

test('a ranged read is signed as in the reference', () => {
  const authorization = authorizationOf(
    {
      method: 'GET',
      path: '/test.txt',
      query: {},
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        range: 'bytes=0-9',
        'x-amz-content-sha256': emptySha256,
        'x-amz-date': amzDate(now),
      },
      payloadSha256: emptySha256,
    },
    credentials,
    now,
  )
  expect(signatureOf(authorization)).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
  expect(authorization).toContain('SignedHeaders=host;range;x-amz-content-sha256;x-amz-date')
})

test('a list with a query is signed as in the reference', () => {
  const authorization = authorizationOf(
    {
      method: 'GET',
      path: '/',
      query: { prefix: 'J', 'max-keys': '2' },
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        'x-amz-content-sha256': emptySha256,
        'x-amz-date': amzDate(now),
      },
      payloadSha256: emptySha256,
    },
    credentials,
    now,
  )
  expect(signatureOf(authorization)).toBe('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7')
})

test('an address that opens an object for a day is signed as in the reference', () => {
  const query = signedQuery(
    { host: 'examplebucket.s3.amazonaws.com', path: '/test.txt', query: {}, seconds: 86_400 },
    credentials,
    now,
  )
  expect(query).toBe(
    'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

test('names and values of a query are escaped, and in order', () => {
  expect(queryText({ uploads: '', 'continuation-token': "a+/= '(*)" })).toBe(
    'continuation-token=a%2B%2F%3D%20%27%28%2A%29&uploads=',
  )
  expect(escapeUri('ä~-_.')).toBe('%C3%A4~-_.')
})
