<?php
// Sells, refunds, and verifies the webhooks of both, with the standard library. README.md of this folder says how to start it.
declare(strict_types=1);

function call(string $path, array $body, string $key): array
{
    $header = ['Content-Type: application/json', "Idempotency-Key: $key", 'x-api-key: ' . getenv('PAYDESK_API_KEY'), 'X-Tenant-ID: ' . getenv('PAYDESK_TENANT_ID')];
    $http = ['method' => 'POST', 'header' => $header, 'content' => json_encode($body), 'ignore_errors' => true];
    $answer = json_decode(file_get_contents(getenv('PAYDESK_URL') . '/api/v1/public' . $path, false, stream_context_create(['http' => $http])), true);
    return $answer['success'] ? $answer['data'] : throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);
}

function isGenuine(array $headers, string $body): bool
{
    $secret = base64_decode(substr(getenv('PAYDESK_WEBHOOK_SECRET'), strlen('whsec_')));
    ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signatures] = $headers;
    $content = "$id.$timestamp.$body";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $content, $secret, true));
    $matching = array_filter(explode(' ', $signatures), fn ($each) => hash_equals($expected, $each));
    return count($matching) > 0 && abs(time() - (int) $timestamp) < 300;
}

/** Accepts one webhook. Returns its event, or null if it is not genuine. */
function receive($server): ?array
{
    $connection = stream_socket_accept($server, 60);
    $headers = array_fill_keys(['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-length'], '');
    while (($line = trim((string) fgets($connection))) !== '') {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $headers[strtolower($name)] = trim($value);
    }
    $body = stream_get_contents($connection, (int) $headers['content-length']);
    $genuine = isGenuine($headers, $body);
    fwrite($connection, 'HTTP/1.1 ' . ($genuine ? '200 OK' : '401 Unauthorized') . "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    fclose($connection);
    return $genuine ? json_decode($body, true) : null;
}

$server = stream_socket_server('tcp://localhost:' . (getenv('PORT') ?: '4913'));
$card = ['CardNumber' => '4111111111111111', 'ExpiryMonth' => '12', 'ExpiryYear' => '2031', 'CVV' => '123'];
$sale = call('/transaction', ['Amount' => '19.99'] + $card, uniqid('order-'));
$refund = call('/refund', ['transactionId' => $sale['transactionId'], 'amount' => 5], uniqid('refund-'));
$received = [];
while (count($received) < 2) {
    $event = receive($server);
    if (($event['data']['transactionId'] ?? null) === $sale['transactionId']) $received[$event['id']] = $event['type'];
}
echo "Sold {$sale['amount']}, refunded {$refund['amount']}, received " . implode(' and ', $received) . ".\n";
