/** Code that verifies a delivery, in several languages: one HMAC over the raw bytes, compared in constant time. */
export const SNIPPETS: readonly { readonly name: string; readonly code: string }[] = [
  {
    name: 'Node',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

// rawBody: the bytes of the request, before any JSON is parsed
const expected = createHmac('sha256', secret).update(rawBody).digest();
const given = Buffer.from(request.headers['x-service-signature'], 'hex');
if (given.length !== expected.length || !timingSafeEqual(given, expected)) return respond(401);`,
  },
  {
    name: 'PHP',
    code: `$rawBody = file_get_contents('php://input');
$expected = hash_hmac('sha256', $rawBody, $secret);
if (!hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(401);
    exit;
}`,
  },
  {
    name: 'Python',
    code: `import hashlib, hmac

expected = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
if not hmac.compare_digest(expected, headers.get("X-Service-Signature", "")):
    return 401`,
  },
  {
    name: 'C#',
    code: `using System.Security.Cryptography;
using System.Text;

var expected = HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), rawBody);
var given = Convert.FromHexString(request.Headers["X-Service-Signature"]);
if (!CryptographicOperations.FixedTimeEquals(expected, given)) return Unauthorized();`,
  },
];
