import { expect, test } from 'vitest'
import { answerChallenge, readChallenge } from './digest.ts'

// The example of RFC 7616, section 3.9.1.
const asked = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
const answer = {
  username: 'Mufasa',
  password: 'Circle of Life',
  method: 'GET',
  uri: '/dir/index.html',
  count: 1,
  clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
}

test.each([
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
])('the example of the standard is answered as it says, with %s', (algorithm, response) => {
  const challenge = readChallenge(asked(algorithm))
  expect(challenge && answerChallenge(challenge, answer)).toContain(`response="${response}"`)
})

test('a challenge that cannot be met is none', () => {
  for (const header of [undefined, '', 'Basic realm="x"', 'Digest realm="x"', asked('SHA-512-256')]) {
    expect(readChallenge(header), String(header)).toBeUndefined()
  }
  expect(readChallenge('Digest realm="x", nonce="n", qop="auth-int"')).toBeUndefined()
})

test('a stale nonce is told from a wrong password', () => {
  expect(readChallenge('Digest realm="x", nonce="n", stale=true')).toMatchObject({ isStale: true, hasQop: false })
  expect(readChallenge('Basic realm="y", Digest realm="x", nonce="n"')).toMatchObject({ isStale: false, realm: 'x' })
})
