// Sells, refunds, and verifies the webhooks of both, with the standard library. README.md of this folder says how to start it.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;

[DataContract] class Failure { [DataMember] public string code = ""; [DataMember] public string message = ""; }
[DataContract] class Answer { [DataMember] public bool success; [DataMember] public Payment data; [DataMember] public Failure error; }
[DataContract] class Payment { [DataMember] public string transactionId = ""; [DataMember] public decimal amount; }
[DataContract] class Event { [DataMember] public string id = ""; [DataMember] public string type = ""; [DataMember] public Payment data = new Payment(); }

static class Program
{
    static readonly HttpClient Client = new HttpClient();

    static string Setting(string name) => Environment.GetEnvironmentVariable(name) ?? throw new Exception("Set " + name + ".");

    static T Read<T>(byte[] json) => (T)new DataContractJsonSerializer(typeof(T)).ReadObject(new MemoryStream(json));

    static async Task<Payment> Call(string path, string body, string key)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, Setting("PAYDESK_URL") + "/api/v1/public" + path);
        request.Headers.Add("x-api-key", Setting("PAYDESK_API_KEY"));
        request.Headers.Add("X-Tenant-ID", Setting("PAYDESK_TENANT_ID"));
        request.Headers.Add("Idempotency-Key", key);
        request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        var response = await Client.SendAsync(request);
        var answer = Read<Answer>(await response.Content.ReadAsByteArrayAsync());
        return answer.success ? answer.data : throw new Exception(answer.error.code + ": " + answer.error.message);
    }

    /// <summary>Compares in constant time.</summary>
    static bool AreEqual(string one, string other) => one.Length == other.Length && one.Zip(other, (a, b) => a ^ b).Aggregate(0, (all, each) => all | each) == 0;

    static bool IsGenuine(HttpListenerRequest request, byte[] body)
    {
        var secret = Convert.FromBase64String(Setting("PAYDESK_WEBHOOK_SECRET").Substring("whsec_".Length));
        var timestamp = request.Headers["webhook-timestamp"] ?? "0";
        var content = Encoding.UTF8.GetBytes(request.Headers["webhook-id"] + "." + timestamp + ".").Concat(body).ToArray();
        using (var hmac = new HMACSHA256(secret))
        {
            var expected = "v1," + Convert.ToBase64String(hmac.ComputeHash(content));
            var isSigned = (request.Headers["webhook-signature"] ?? "").Split(' ').Any(each => AreEqual(expected, each));
            return isSigned && Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp)) < 300;
        }
    }

    /// <summary>Accepts one webhook. Returns its event, or null if it is not genuine.</summary>
    static async Task<Event> Receive(HttpListener receiver)
    {
        var context = await receiver.GetContextAsync();
        var body = new MemoryStream();
        await context.Request.InputStream.CopyToAsync(body);
        var genuine = IsGenuine(context.Request, body.ToArray());
        context.Response.StatusCode = genuine ? 200 : 401;
        context.Response.Close();
        return genuine ? Read<Event>(body.ToArray()) : null;
    }

    static void Main() => Run().GetAwaiter().GetResult();

    static async Task Run()
    {
        var receiver = new HttpListener();
        receiver.Prefixes.Add("http://localhost:" + (Environment.GetEnvironmentVariable("PORT") ?? "4914") + "/");
        receiver.Start();
        const string card = "\"CardNumber\": \"4111111111111111\", \"ExpiryMonth\": \"12\", \"ExpiryYear\": \"2031\", \"CVV\": \"123\"";
        var sale = await Call("/transaction", "{\"Amount\": \"19.99\", " + card + "}", "order-" + Guid.NewGuid());
        var refund = await Call("/refund", "{\"transactionId\": \"" + sale.transactionId + "\", \"amount\": 5}", "refund-" + Guid.NewGuid());
        var received = new Dictionary<string, string>();
        while (received.Count < 2)
        {
            var happened = await Receive(receiver);
            if (happened != null && happened.data.transactionId == sale.transactionId) received[happened.id] = happened.type;
        }
        Console.WriteLine(FormattableString.Invariant($"Sold {sale.amount}, refunded {refund.amount}, received {string.Join(" and ", received.Values)}."));
        receiver.Stop();
    }
}
